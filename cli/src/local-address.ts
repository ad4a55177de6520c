/** Whether an address is on this machine, so that nothing sent there crosses a network. */
export const isOnThisMachine = (address: string): boolean =>
  /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\])$/.test(new URL(address).hostname)
