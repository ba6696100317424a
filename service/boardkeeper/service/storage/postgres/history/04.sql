CREATE TABLE backups (time bigint PRIMARY KEY);
