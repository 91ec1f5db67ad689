import type { Database } from '../../db/Database.ts'
import type { Batch } from './Feed.ts'
import { encodePlace, encodeSnapshot, firstMissing, type Mark, type Place } from './Place.ts'
import { type Page, readPage, type Span } from './readPage.ts'

/** What lies between two places of one log, in order. Marks follow each other, so it is a row of whole spans. */
export async function* readSince(
  db: Database,
  from: Place,
  to: Place,
  className: string,
): AsyncGenerator<Batch | 'expired'> {
  if (from.incarnation !== to.incarnation || !(await wasRecorded(db, className, from.low))) {
    yield 'expired'
    return
  }
  for (const span of spansBetween(from, to)) {
    let after = span.after
    for (;;) {
      const page = await readPage(db, { ...span, after, classNames: [className] })
      if (page.incarnation !== from.incarnation || page.foreign || page.keptFrom > firstMissing(span.low)) {
        yield 'expired'
        return
      }
      after = Number(page.changes.at(-1)?.id ?? 0)
      if (page.changes.length > 0) yield describePage(from.incarnation, span, page)
      if (!page.more) break
    }
  }
}

type WholeSpan = Omit<Span, 'classNames'> & { high: Mark }

function spansBetween(from: Place, to: Place): WholeSpan[] {
  const spans: WholeSpan[] = []
  if (from.part) spans.push({ low: from.low, high: from.part.high, after: from.part.id })
  spans.push({ low: from.part?.high ?? from.low, high: to.low })
  if (to.part) spans.push({ low: to.low, high: to.part.high, upTo: to.part.id })
  return spans
}

function describePage(incarnation: string, { low, high }: WholeSpan, { changes }: Page): Batch {
  const position = (index: number) =>
    encodePlace({ incarnation, low, part: { high, id: Number(changes[index]?.id ?? 0) } })
  return { changes, position, end: position(changes.length - 1) }
}

async function wasRecorded(db: Database, className: string, low: Mark): Promise<boolean> {
  const [row] = await db.query<{ whole: boolean }>({
    name: 'was class recorded',
    text: `select pg_visible_in_snapshot(since, $2::pg_snapshot) as whole
           from countersign.live_classes where class_name = $1`,
    values: [className, encodeSnapshot(low)],
  })
  return row?.whole ?? false
}
