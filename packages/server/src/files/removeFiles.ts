import type { Context } from '../context/Context.ts'
import type { StoreName } from './StoredFile.ts'
import { getStore } from './stores/getStore.ts'

/** Removes contents first, then the rows that name them: what fails half-way can be done again. */
export async function removeFiles(
  context: Pick<Context, 'config' | 'db'>,
  { condition, values }: { condition: string; values: unknown[] },
): Promise<number> {
  const { db } = context
  const files = await db.query<{ name: string; store: StoreName }>({
    text: `select name, store from countersign.files where ${condition}`,
    values,
  })
  for (const { name, store } of files) await getStore(context, store).remove(name)
  await db.query({
    text: 'delete from countersign.files where name = any($1)',
    values: [files.map(({ name }) => name)],
  })
  return files.length
}
