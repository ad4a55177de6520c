-- Whose task it is: a role, never a person.
alter table task add column assigned_role text check (assigned_role in ('host', 'manager', 'owner'));
