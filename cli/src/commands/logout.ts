import { type Run, has } from '../command.ts'
import { exitCodes } from '../exit-codes.ts'
import { forgetCredentials } from '../keep/credentials.ts'

/** Deletes what `login` saved. */
export const logout: Run = async ({ settings, out }, line) => {
  const wasThere = await forgetCredentials(settings)
  if (has(line, 'json')) out.write(`${JSON.stringify({ forgotten: wasThere })}\n`)
  else
    out.write(
      wasThere
        ? 'Signed out. The key itself stays valid until the owner revokes it.\n'
        : 'No key was saved.\n',
    )
  return exitCodes.ok
}
