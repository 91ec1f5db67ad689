const channelPattern = /^[a-z_][a-z0-9_]{0,62}$/

/** A channel name that needs no quoting in LISTEN, which takes no parameters. */
export function channelName(channel: string): string {
  if (!channelPattern.test(channel)) throw new Error(`Not a usable channel name: ${JSON.stringify(channel)}`)
  return channel
}
