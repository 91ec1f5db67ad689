// biome-ignore-all lint/correctness/noUndeclaredDependencies: it runs with the packages of the repository
import { CountersignProvider, type Doc, useDocument, useDocuments, useSaveDocument, useUser } from '@countersign/react'
import { appId, bench, List, Row, serverUrl, show } from './rows.tsx'

const ids: string[] = JSON.parse(sessionStorage.getItem('ids') ?? '[]')
const options = { order: ['n'], limit: 500, refetchOnFocus: true } as const

function useActions(row: Doc<'Row'> | undefined): void {
  const { save, create } = useSaveDocument('Row')
  bench.save = () => row && save(row, { score: Number(row.score) + 1 })
  bench.create = () => create({ n: -1, score: 0 })
}

function OneList() {
  const user = useUser()
  const { data = [], status } = useDocuments('Row', options)
  useActions(data[250])
  return (
    <List status={`${status} ${user?.username ?? ''}`}>
      {data.map((row) => (
        <Row key={row.objectId} n={Number(row.n)} score={Number(row.score)} />
      ))}
    </List>
  )
}

function OwnReading({ id, isSaved }: { id: string; isSaved: boolean }) {
  const { data } = useDocument('Row', id, { refetchOnFocus: true })
  return (
    <>
      {isSaved && <Saved row={data} />}
      {data && <Row n={Number(data.n)} score={Number(data.score)} />}
    </>
  )
}

function Saved({ row }: { row: Doc<'Row'> | undefined }) {
  useActions(row)
  return null
}

function ManyReadings() {
  return (
    <List status="">
      {ids.map((id, index) => (
        <OwnReading key={id} id={id} isSaved={index === 250} />
      ))}
    </List>
  )
}

show(
  <CountersignProvider appId={appId ?? ''} serverUrl={serverUrl ?? ''} session="storage" initializeOnMount>
    {ids.length > 0 ? <ManyReadings /> : <OneList />}
  </CountersignProvider>,
)
