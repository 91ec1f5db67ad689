import type { WireValue } from '@countersign/protocol'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { formatNumber } from '../../../i18n/format.ts'
import { t } from '../../../i18n/translate.ts'
import { Button } from '../../../ui/Button.tsx'
import { Card, CardHeader } from '../../../ui/Card.tsx'
import { writeCsvCell } from '../../../ui/csvCell.ts'
import { downloadText } from '../../../ui/downloadText.ts'
import { SwitchField } from '../../../ui/forms/SwitchField.tsx'
import type { Output } from '../ask.ts'
import { Chart } from '../charts/Chart.tsx'
import { formatDuration, formatMinute } from '../formats.ts'

type Result = Output<'runSql'>
type Props = { result: Result; isChart: boolean; onChart: (isChart: boolean) => void }

const longestCell = 300

/** As SQL writes it. */
const nullWord = 'null'
const rowsAtOnce = 100

/** Rows of a query as a table, or as a chart if a column holds numbers. */
export function SqlResult({ result, isChart, onChart }: Props) {
  const { columns, rows, isMore, milliseconds } = result
  const chart = readChart(result)
  const download = () => {
    const lines = [columns.map(({ name }) => name), ...rows.map((row) => row.map(show))]
    downloadText('query.csv', 'text/csv', lines.map((line) => line.map(writeCsvCell).join(',')).join('\r\n'))
  }
  return (
    <Card aria-labelledby="sql-result">
      <CardHeader
        id="sql-result"
        title={t('Result')}
        aside={
          <div className="flex flex-wrap items-center gap-4">
            {chart && <SwitchField label={t('Chart')} checked={isChart} onChange={onChart} />}
            <Button look="secondary" onClick={download}>
              <Download size={18} aria-hidden="true" />
              {t('Export CSV')}
            </Button>
          </div>
        }
      >
        {t('{count, plural, one {# row} other {# rows}}', { count: rows.length })} · {formatDuration(milliseconds)}
        {isMore && ` · ${t('More rows were left out.')}`}
      </CardHeader>
      {isChart && chart ? (
        <Chart
          label={t('Result')}
          axis={chart.axis}
          places={chart.places}
          series={chart.series.map(({ name, values }, place) => ({ name, values, look: looks[place] ?? 'line' }))}
          format={formatNumber}
        />
      ) : (
        <ResultTable key={milliseconds} result={result} />
      )}
    </Card>
  )
}

const looks = ['line', 'thin', 'dotted', 'before'] as const

function ResultTable({ result: { columns, rows } }: { result: Result }) {
  const [shown, setShown] = useState(rowsAtOnce)
  return (
    <>
      <section
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what is scrolled must be reached with the keyboard
        tabIndex={0}
        aria-label={t('Rows')}
        className="max-h-[70dvh] overflow-auto rounded-control border border-line"
      >
        <table className="min-w-full text-sm tabular-nums">
          <thead className="sticky top-0 bg-sunken">
            <tr>
              {columns.map(({ name, type }, place) => (
                <th
                  // biome-ignore lint/suspicious/noArrayIndexKey: two columns may have one name
                  key={place}
                  className={`px-3 py-2 font-semibold ${type === 'number' ? 'text-end' : 'text-start'}`}
                >
                  <bdi>{name}</bdi>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, shown).map((row, line) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows have no key, and never change
              <tr key={line} className="border-t border-line">
                {row.map((value, place) => (
                  <td
                    // biome-ignore lint/suspicious/noArrayIndexKey: as above
                    key={place}
                    dir="auto"
                    className={`max-w-96 truncate px-3 py-1.5 ${columns[place]?.type === 'number' ? 'text-end' : ''}`}
                    title={show(value).slice(0, 2_000)}
                  >
                    {value === null ? (
                      <span className="text-muted">{nullWord}</span>
                    ) : (
                      show(value).slice(0, longestCell)
                    )}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {shown < rows.length && (
        <div className="mt-3">
          <Button look="secondary" onClick={() => setShown(shown + rowsAtOnce)}>
            {t('Show more')}
          </Button>
        </div>
      )}
    </>
  )
}

const show = (value: WireValue): string =>
  value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value)

const mostSeries = 4

/** The first column as the axis, and each column of numbers after it as a line. */
function readChart({ columns, rows }: Result) {
  const [first] = columns
  const numbers = columns.flatMap(({ type, name }, place) => (type === 'number' && place > 0 ? [{ name, place }] : []))
  if (!first || numbers.length === 0 || rows.length === 0) return undefined
  const places = rows.map(([value = null]) => {
    const text = first.type === 'date' && typeof value === 'string' ? formatMinute(new Date(value)) : show(value)
    return { short: text.slice(0, 18), full: text.slice(0, 100) }
  })
  const series = numbers.slice(0, mostSeries).map(({ name, place }) => ({
    name,
    values: rows.map((row) => {
      const value = row[place]
      return value === null || !Number.isFinite(Number(value)) ? undefined : Number(value)
    }),
  }))
  return { axis: first.name, places, series }
}
