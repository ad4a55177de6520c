-- A column and its check in one statement is more than Citus takes.
alter table task add column assigned_role text;
alter table task add constraint task_assigned_role_check check (assigned_role in ('host', 'manager', 'owner'));
