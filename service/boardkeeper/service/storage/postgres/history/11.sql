CREATE INDEX invitations_by_player ON invitations (player_id) WHERE player_id <> '';
