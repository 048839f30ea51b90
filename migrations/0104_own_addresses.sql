-- What an owner can set in the browser where the environment says nothing, in force from the next start: the address of
-- the desk, and the domain of the addresses that customers reply to.
ALTER TABLE desk_settings ADD COLUMN base_url TEXT;
ALTER TABLE desk_settings ADD COLUMN inbound_domain TEXT;
