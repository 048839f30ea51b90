-- What an owner can set in the browser where the environment says nothing: the server that takes the desk's own mail, and
-- the issuer of OpenID Connect. Each as JSON, and its secret sealed.
ALTER TABLE desk_settings ADD COLUMN mail_server TEXT;
ALTER TABLE desk_settings ADD COLUMN mail_server_secret_sealed TEXT;
ALTER TABLE desk_settings ADD COLUMN issuer TEXT;
ALTER TABLE desk_settings ADD COLUMN issuer_secret_sealed TEXT;
