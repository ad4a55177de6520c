/** The settings that may come from the environment: keys, which on a command line others could see. */
export const environment: Readonly<Record<string, string | undefined>> = process.env
