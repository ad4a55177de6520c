import type { TestService } from '../service.ts'

/** Gives a test's database the mark of another place, so that the service finds itself on a restored copy. */
export const becomeCopy = async ({ db, context }: Pick<TestService, 'db' | 'context'>): Promise<void> => {
  await db.session((client) =>
    client.query(
      `insert into database_mark (mark, made_at) values ('elsewhere', now())
       on conflict (single) do update set mark = excluded.mark`,
    ),
  )
  await context.hold.look()
}
