import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from 'pg'

type Watch = {
  /** Milliseconds between two questions. */
  every: number
  /** Milliseconds within which each is answered by a living connection. */
  within: number
  /** Called once, as soon as the connection is known to be lost. */
  onLost: () => void
}

/**
 * Notices that a connection is lost: at once where the server or the network says so, by asking where nobody does.
 * A peer that vanished silently would otherwise be waited for until TCP gives up, a quarter of an hour.
 */
export const watchConnection = (client: Client, { every, within, onLost }: Watch): void => {
  let lost = false

  const lose = () => {
    if (lost) return
    lost = true
    onLost()
  }

  const ask = async () => {
    for (;;) {
      await pause(every, undefined, { ref: false })
      if (lost) return
      const answered = client.query('select 1').then(
        () => true,
        () => false,
      )
      if (await Promise.race([answered, pause(within, false, { ref: false })])) continue
      lose()
      // A dead peer answers no goodbye either.
      client.connection.stream.destroy()
      return
    }
  }

  client.once('error', lose)
  client.once('end', lose)
  // The server ends a connection with this; it would still take statements for a moment.
  client.connection.on('errorMessage', (message: { severity?: string }) => {
    if (message.severity === 'FATAL' || message.severity === 'PANIC') lose()
  })
  void ask()
}
