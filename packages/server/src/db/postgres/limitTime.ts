import type { ClientBase } from 'pg'

const limits = new WeakMap<ClientBase, number>()

/** Lets the statements of a connection take so many milliseconds each. Told to the database only where it is another. */
export const limitTime = async (client: ClientBase, timeout: number): Promise<void> => {
  if (limits.get(client) === timeout) return
  limits.delete(client)
  await client.query(`set statement_timeout = ${timeout}`)
  limits.set(client, timeout)
}
