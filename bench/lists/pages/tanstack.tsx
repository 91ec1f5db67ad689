// biome-ignore-all lint/correctness/noUndeclaredDependencies: it runs with the packages of the repository
import { QueryClient, QueryClientProvider, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ask, findUser } from './ask.ts'
import { bench, List, Row, type RowFields, show } from './rows.tsx'

const ids: string[] = JSON.parse(sessionStorage.getItem('ids') ?? '[]')

/** Saves as the library's guide does it: what was read of the class is read again. */
function useActions(row: RowFields | undefined): void {
  const queries = useQueryClient()
  const onSuccess = () => queries.invalidateQueries({ queryKey: ['Row'] })
  const save = useMutation({
    mutationFn: ({ objectId, score }: RowFields) => ask('PUT', `/classes/Row/${objectId}`, { score: score + 1 }),
    onSuccess,
  })
  const create = useMutation({ mutationFn: () => ask('POST', '/classes/Row', { n: -1, score: 0 }), onSuccess })
  bench.save = () => row && save.mutate(row)
  bench.create = () => create.mutate()
}

const readRows = async () => ((await ask('GET', '/classes/Row?order=n&limit=500')) as { results: RowFields[] }).results

function OneList() {
  const user = useQuery({ queryKey: ['me'], queryFn: findUser })
  const { data = [], status } = useQuery({ queryKey: ['Row'], queryFn: readRows })
  useActions(data[250])
  return (
    <List status={`${status} ${user.data?.username ?? ''}`}>
      {data.map((row) => (
        <Row key={row.objectId} n={row.n} score={row.score} />
      ))}
    </List>
  )
}

function OwnReading({ id, isSaved }: { id: string; isSaved: boolean }) {
  const { data } = useQuery({
    queryKey: ['Row', id],
    queryFn: () => ask('GET', `/classes/Row/${id}`) as Promise<RowFields>,
  })
  return (
    <>
      {isSaved && <Saved row={data} />}
      {data && <Row n={data.n} score={data.score} />}
    </>
  )
}

function Saved({ row }: { row: RowFields | undefined }) {
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
  <QueryClientProvider client={new QueryClient()}>
    {ids.length > 0 ? <ManyReadings /> : <OneList />}
  </QueryClientProvider>,
)
