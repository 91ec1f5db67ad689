import type { WireWhere } from '@countersign/protocol'
import { useRef, useState } from 'react'
import { downloadText } from '../../../ui/downloadText.ts'
import { readRows } from './dataRows.ts'
import { toCsv, toCsvLines } from './dataValues.ts'

/** As many rows as one file takes. */
const mostExported = 1_000_000

type Props = {
  className: string
  where: WireWhere
  columns: readonly string[]
  onError: (error: unknown) => void
}

/** Takes the rows of a view along as a file, page by page. `exported` counts them while it goes on. */
export function useExport({ className, where, columns, onError }: Props) {
  const [exported, setExported] = useState<number>()
  const exporting = useRef<AbortController>(undefined)
  const exportAs = async (form: 'csv' | 'json') => {
    const control = new AbortController()
    exporting.current = control
    setExported(0)
    const parts: string[] = []
    let count = 0
    try {
      for await (const page of readRows(className, where, control.signal)) {
        const begins = count === 0
        if (form === 'csv') parts.push(begins ? toCsv(columns, page) : `\r\n${toCsvLines(columns, page)}`)
        else parts.push(`${begins ? '' : ',\n'}${page.map((row) => JSON.stringify(row)).join(',\n')}`)
        count += page.length
        setExported(count)
        if (count >= mostExported) break
      }
      if (form === 'csv') downloadText(`${className}.csv`, 'text/csv', parts.length > 0 ? parts : [toCsv(columns, [])])
      else downloadText(`${className}.json`, 'application/json', ['{"results":[\n', ...parts, '\n]}\n'])
    } catch (error) {
      if (!control.signal.aborted) onError(error)
    }
    setExported(undefined)
  }
  const stopExport = () => exporting.current?.abort()
  return { exported, exportAs, stopExport }
}
