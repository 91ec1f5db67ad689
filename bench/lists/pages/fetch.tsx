// biome-ignore-all lint/correctness/noUndeclaredDependencies: it runs with the packages of the repository
import { useEffect, useState } from 'react'
import { ask, findUser } from './ask.ts'
import { List, Row, type RowFields, show } from './rows.tsx'

/** Sends both requests at once and stores nothing, as a page without a library. */
function Page() {
  const [name, setName] = useState('')
  const [rows, setRows] = useState<readonly RowFields[]>([])
  useEffect(() => {
    void findUser().then((user) => setName(user?.username ?? ''))
    void ask('GET', '/classes/Row?order=n&limit=500').then((answer) =>
      setRows((answer as { results: RowFields[] }).results),
    )
  }, [])
  return (
    <List status={`read ${name}`}>
      {rows.map((row) => (
        <Row key={row.objectId} n={row.n} score={row.score} />
      ))}
    </List>
  )
}

show(<Page />)
