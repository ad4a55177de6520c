-- The secret of an authenticator app between showing it and the first code, sealed: it never comes back from a browser.
alter table staff add column totp_pending_sealed text;
