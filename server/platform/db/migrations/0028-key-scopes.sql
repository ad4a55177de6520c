-- What a key may do, word by word (contract/scopes.ts). Null: what its kind and its scope allowed before there were words.
alter table api_key add column scopes text[];
