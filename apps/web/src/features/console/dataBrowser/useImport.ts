import { errorCodes, type WireFields } from '@countersign/protocol'
import { useRef, useState } from 'react'
import { messageOf, type RowFailure, sendRows } from './dataRows.ts'

/** A row of a file that can be sent, with its place in the file. `isOwn`: its id was made here. */
export type GoodRow = { place: number; row: WireFields; isOwn: boolean }

export type ImportState = {
  step: 'ready' | 'running' | 'stopped' | 'done' | 'undoing' | 'undone'
  /** Rows that were sent, in the order of the file. */
  sent: number
  /** Ids of the rows that are in. */
  created: readonly string[]
  failures: readonly RowFailure[]
  /** Why it stopped, unless by the button. */
  problem?: string
}

const ready: ImportState = { step: 'ready', sent: 0, created: [], failures: [] }

/**
 * Sends rows some at a time, and knows at each moment which of them are in: an import that stops can go on or be undone.
 * Rows get their ids before they are sent, so that a batch whose response was lost can be sent again without duplicates.
 */
export function useImport(className: string, onChange: () => void) {
  const [state, setState] = useState(ready)
  const isStopping = useRef(false)

  const run = async (rows: readonly GoodRow[], from: ImportState) => {
    isStopping.current = false
    const created = [...from.created]
    const failures = [...from.failures]
    let { sent } = from
    const show = (step: ImportState['step'], problem?: string) =>
      setState({ step, sent, created: [...created], failures: [...failures], ...(problem && { problem }) })
    show('running')
    try {
      while (sent < rows.length && !isStopping.current) {
        const part = rows.slice(sent, sent + batchLength)
        const requests = part.map(({ row }) => ({ method: 'POST' as const, body: row }))
        const answer = await sendRows(className, requests)
        const refused = new Map(answer.failures.map((each) => [each.place, each]))
        for (const [index, { place, row, isOwn }] of part.entries()) {
          const failure = refused.get(index)
          // Sent again after a lost response: it is in under the id that it got here.
          const isAgain = sent === from.sent && from.step === 'stopped'
          const isIn = isOwn && isAgain && failure?.code === errorCodes.DuplicateValue
          if (!failure || isIn) created.push(answer.ids.get(index) ?? String(row.objectId))
          else failures.push({ ...failure, place })
        }
        sent += part.length
        show('running')
      }
      show(sent < rows.length ? 'stopped' : 'done')
    } catch (error) {
      show('stopped', messageOf(error))
    }
    onChange()
  }

  const undo = async () => {
    const { created } = state
    setState({ ...state, step: 'undoing', sent: 0 })
    const requests = created.map((objectId) => ({ method: 'DELETE' as const, objectId }))
    try {
      const onProgress = (sent: number) => setState((now) => ({ ...now, sent }))
      const { failures } = await sendRows(className, requests, { onProgress })
      // A row that somebody else has deleted is gone all the same.
      const left = failures.filter(({ code }) => code !== errorCodes.ObjectNotFound)
      if (left.length === 0) setState({ ...ready, step: 'undone' })
      else setState({ ...state, created: left.map(({ place }) => created[place] ?? ''), problem: left[0]?.message })
    } catch (error) {
      setState({ ...state, problem: messageOf(error) })
    }
    onChange()
  }

  return {
    state,
    start: (rows: readonly GoodRow[]) => void run(rows, ready),
    goOn: (rows: readonly GoodRow[]) => void run(rows, state),
    stop: () => {
      isStopping.current = true
    },
    undo: () => void undo(),
    reset: () => setState(ready),
  }
}

const batchLength = 50

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** The row with an id, unless the file names one or the class is the server's, which chooses them. */
export function nameRow(className: string, place: number, row: WireFields): GoodRow {
  if (row.objectId !== undefined || className.startsWith('_')) return { place, row, isOwn: false }
  const bytes = crypto.getRandomValues(new Uint8Array(10))
  const objectId = Array.from(bytes, (byte) => letters[byte % letters.length]).join('')
  return { place, row: { objectId, ...row }, isOwn: true }
}
