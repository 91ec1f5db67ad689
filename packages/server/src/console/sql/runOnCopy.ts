import { type ChildProcess, fork } from 'node:child_process'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { refuse } from '@countersign/protocol'
import type { Context } from '../../context/Context.ts'
import { sql } from '../../db/sql.ts'
import type { FromCopy, ToCopy } from './CopyMessage.ts'
import type { ReadableTable } from './readableTables.ts'
import type { CheckedSql } from './readSql.ts'
import { longestQuery, type SqlResult } from './writeSql.ts'

/** Limits of a copy, all classes of the query together. */
const mostCopied = 100_000
const mostCopiedBytes = 64_000_000

const atOnce = 1_000

/** Milliseconds for which an idle process is kept. */
const keptFor = 60_000

/** Milliseconds until a copy has started, and until it has taken a page: a busy machine is slow. */
const longestCopy = 300_000

/**
 * Runs a query of the embedded database on a copy of its classes, in a process of its own: the embedded database has one
 * connection and no timeout, so that a slow query would stop the server. The copy has the readable columns alone.
 */
export async function runOnCopy(
  { db, services }: Context,
  query: CheckedSql,
  tables: readonly ReadableTable[],
): Promise<SqlResult> {
  const copy = services.sqlCopy ?? startCopy()
  delete services.sqlCopy
  copy.rest()
  let isFit = false
  try {
    await copy.ask({ kind: 'begin', tables: [...tables] }, longestCopy)
    let [rows, bytes] = [0, 0]
    for (const table of tables)
      for await (const page of readPages(db, table)) {
        rows += page.rows
        bytes += page.text.length
        if (rows > mostCopied || bytes > mostCopiedBytes)
          throw refuse('sqlRefused', {
            problem: `the embedded database reads at most ${mostCopied} objects or 64 MB for a query. Use PostgreSQL`,
          })
        await copy.ask({ kind: 'rows', table: table.name, rows: page.text }, longestCopy)
      }
    const answer = await copy.ask({ kind: 'query', text: query.text, tables: [...tables] }, longestQuery)
    if (!answer.result) throw new Error('the copy returned no result')
    isFit = true
    return answer.result
  } finally {
    if (isFit && !services.sqlCopy) {
      services.sqlCopy = copy
      copy.rest(() => {
        if (services.sqlCopy === copy) delete services.sqlCopy
      })
    } else copy.end()
  }
}

/** Pages of a table as JSON, each a short statement, so that others are served in between. */
async function* readPages(
  db: Context['db'],
  { name, columns }: ReadableTable,
): AsyncGenerator<{ text: string; rows: number }> {
  const names = sql.join(columns.map((column) => sql.id(column.name)))
  const key = sql.join((columns[0]?.name === 'objectId' ? ['objectId'] : ['owningId', 'relatedId']).map(sql.id))
  let after: string[] | undefined
  for (;;) {
    const [page] = await db.query<{ text: string | null; rows: number; last: string[] | null }>(sql`
      select json_agg(p)::text as text, count(*)::int as rows, (array_agg(array[${key}] order by ${key}))[count(*):] as last
      from (
        select ${names} from ${sql.table(name)}
        ${after === undefined ? sql`` : sql`where (${key}) > (${sql.join(after)})`}
        order by ${key} limit ${atOnce}
      ) p`)
    if (!page || page.text === null) return
    yield { text: page.text, rows: page.rows }
    if (page.rows < atOnce) return
    after = (page.last as unknown as string[][]).flat()
  }
}

export type Copy = {
  ask(message: ToCopy, longest: number): Promise<Extract<FromCopy, { kind: 'done' }>>
  /** Ends the copy unless it is used again; without a function, it is used again. */
  rest(ended?: () => void): void
  end(): void
}

declare module '../../context/Context.ts' {
  interface Services {
    /** Process of the last query, kept for the next one. */
    sqlCopy?: Copy
  }
}

function startCopy(): Copy {
  const extension = extname(import.meta.url)
  const file = fileURLToPath(new URL(`./copyProcess${extension}`, import.meta.url))
  const child: ChildProcess = fork(file, [String(process.pid)], {
    // Run from its sources, as our own tests do, it needs the compiler.
    execArgv: extension === '.ts' ? ['--import', 'jiti/register'] : [],
    // Not the server's variables, which hold secrets.
    env: { PATH: process.env.PATH, NODE_ENV: process.env.NODE_ENV },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  child.on('error', () => {})
  // It does not keep the server running.
  child.unref()
  child.channel?.unref()
  let resting: NodeJS.Timeout | undefined
  const end = () => void child.kill('SIGKILL')
  return {
    ask: (message, longest) =>
      new Promise((resolve, reject) => {
        const finish = (act: () => void) => {
          clearTimeout(timer)
          child.off('message', hear).off('exit', fail)
          act()
        }
        const hear = (answer: FromCopy) =>
          finish(() =>
            answer.kind === 'done'
              ? resolve(answer)
              : reject(Object.assign(new Error(answer.message), { code: answer.code ?? 'XX000' })),
          )
        const fail = () => finish(() => reject(refuse('sqlRefused', { problem: 'it needs too much memory' })))
        const timer = setTimeout(
          () => finish(() => reject(refuse('sqlRefused', { problem: `it took longer than ${longest / 1000} s` }))),
          longest,
        )
        child.on('message', hear).on('exit', fail)
        child.send(message, (error) => error && fail())
      }),
    rest: (ended) => {
      clearTimeout(resting)
      if (!ended) return
      child.once('exit', ended)
      resting = setTimeout(() => {
        ended()
        end()
      }, keptFor)
      resting.unref()
    },
    end,
  }
}
