import type { ClientBase } from 'pg'

type Prepared = { names: Set<string>; letters: number }
type Known = { parsedStatements: object; submittedNamedStatements: object }

/** What prepared statements take on a connection is a multiple of their text. */
const mostLetters = 2_000_000

const preparedOn = new WeakMap<ClientBase, Prepared>()

/**
 * Counts what is prepared on a connection and begins anew before it is too much: callers choose the shapes of
 * statements, and the database would keep each of them as long as the connection lives. What is in flight comes before;
 * a statement whose preparing is under way at this moment is found stale when it is next used, and prepared again.
 */
export function countPrepared(client: ClientBase, name: string, text: string): void {
  const prepared = preparedOn.get(client) ?? { names: new Set<string>(), letters: 0 }
  preparedOn.set(client, prepared)
  if (prepared.names.has(name)) return
  if (prepared.letters + text.length > mostLetters) {
    const { connection } = client as unknown as { connection: Known }
    client.query('deallocate all').catch(() => {})
    connection.parsedStatements = {}
    connection.submittedNamedStatements = {}
    prepared.names.clear()
    prepared.letters = 0
  }
  prepared.names.add(name)
  prepared.letters += text.length
}
