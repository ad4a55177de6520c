/** The keychain of the system: a key for each address. */
export type Keychain = {
  readonly read: (url: string) => Promise<string | undefined>
  /** Whether it was saved and can be read back. */
  readonly write: (url: string, key: string) => Promise<boolean>
  readonly remove: (url: string) => Promise<void>
}

const service = 'venue-data'

/** undefined: the package for it is not installed, or does not run on this system. */
export const keychain = async (): Promise<Keychain | undefined> => {
  try {
    const { AsyncEntry } = await import('@napi-rs/keyring')
    const read = async (url: string): Promise<string | undefined> => {
      try {
        return (await new AsyncEntry(service, url).getPassword()) ?? undefined
      } catch {
        return undefined
      }
    }
    return {
      read,
      write: async (url, key) => {
        try {
          await new AsyncEntry(service, url).setPassword(key)
        } catch {
          return false
        }
        return (await read(url)) === key
      },
      remove: async (url) => {
        await new AsyncEntry(service, url).deletePassword().catch(() => false)
      },
    }
  } catch {
    return undefined
  }
}
