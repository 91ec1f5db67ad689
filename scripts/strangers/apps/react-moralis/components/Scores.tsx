import { useMoralisQuery } from 'react-moralis'

export function Scores() {
  const { data, error } = useMoralisQuery('Score', (query) => query.descending('points'))
  if (error) return <p role="alert">{error.message}</p>
  return (
    <>
      {data.map((score) => (
        <p key={score.id}>
          {score.get('player')}: {score.get('points')}
        </p>
      ))}
    </>
  )
}
