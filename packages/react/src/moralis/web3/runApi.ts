import type { Client } from '../../core/Client.ts'
import { runFunction } from '../../core/functions/runFunction.ts'
import type { Attributes, Loose } from '../Loose.ts'

/** Asks a function of the server for data of a chain. */
export async function runApi(client: Client, name: string, options: Attributes): Promise<Loose> {
  const given = Object.entries(options).filter(([, value]) => value !== undefined)
  const answer: Loose = await runFunction(client, name, Object.fromEntries(given), { throwOnError: true })
  return withNext(answer, options, (next) => runApi(client, name, next))
}

/** A page has `next`, while there is one. */
function withNext(answer: Loose, options: Attributes, ask: (options: Attributes) => Promise<Loose>): Loose {
  const { page, page_size, total, cursor }: Attributes = Object(answer)
  if (page === undefined || page_size === undefined || total === undefined) return answer
  if (cursor) return { ...answer, next: () => ask({ ...options, cursor }) }
  if (!(total > page_size * (page + 1)) || options.cursor) return { ...answer }
  return { ...answer, next: () => ask({ ...options, offset: (page + 1) * (options.limit || 500) }) }
}
