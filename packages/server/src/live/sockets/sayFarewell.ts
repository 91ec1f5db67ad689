import type { WebSocket } from 'ws'

/** Clients that do not answer the farewell are cut off after this time. */
const patience = 1_000

/** Sends a client elsewhere, since this server stops. Ends when it is gone. */
export function sayFarewell(socket: WebSocket): Promise<void> {
  return new Promise((resolve) => {
    socket.once('close', () => resolve())
    socket.close(1001, 'server stops')
    setTimeout(() => socket.terminate(), patience).unref()
  })
}
