/** The settings from the environment: keys, since others could see them on a command line. */
export const environment: Readonly<Record<string, string | undefined>> = process.env
