-- Invitations that are deleted.

CREATE INDEX invitations_by_expiry ON invitations (expire_time) WHERE expire_time IS NOT NULL;
CREATE INDEX invitation_ends_by_time ON invitation_ends (end_time);
