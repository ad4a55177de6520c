-- A checkout that software began: whose it is, and where its guest goes afterwards.
alter table checkout add column key_id bigint;
alter table checkout add column return_url text;
create index checkout_of_key on checkout (venue_id, key_id) where key_id is not null;

-- From when until when tickets of a date are sold online; null: at once, and until it begins.
alter table occurrence add column online_from timestamptz(3);
alter table occurrence add column online_until timestamptz(3);

-- What an owner chose in place of the currency of the country; null: nothing.
alter table venue add column currency text;

-- Null: of before this release, in a country whose currency is not known here.
alter table ticket_order add column currency text;
update ticket_order o set currency = case
    when v.country in ('AD', 'AT', 'BE', 'BG', 'CY', 'DE', 'EE', 'ES', 'FI', 'FR', 'GR', 'HR', 'IE', 'IT', 'LT', 'LU',
                         'LV', 'MC', 'MT', 'NL', 'PT', 'SI', 'SK', 'SM', 'VA') then 'EUR'
    when v.country in ('US', 'PR') then 'USD'
    when v.country in ('CH', 'LI') then 'CHF'
    when v.country = 'CA' then 'CAD'
    when v.country = 'MX' then 'MXN'
    when v.country = 'BR' then 'BRL'
    when v.country = 'GB' then 'GBP'
    when v.country = 'SE' then 'SEK'
    when v.country = 'NO' then 'NOK'
    when v.country = 'DK' then 'DKK'
    when v.country = 'IS' then 'ISK'
    when v.country = 'PL' then 'PLN'
    when v.country = 'CZ' then 'CZK'
    when v.country = 'HU' then 'HUF'
    when v.country = 'RO' then 'RON'
    when v.country = 'JP' then 'JPY'
    when v.country = 'SG' then 'SGD'
    when v.country = 'HK' then 'HKD'
    when v.country = 'MY' then 'MYR'
    when v.country = 'TH' then 'THB'
    when v.country = 'AE' then 'AED'
    when v.country = 'AU' then 'AUD'
    when v.country = 'NZ' then 'NZD'
  end
  from venue v where v.id = o.venue_id;
