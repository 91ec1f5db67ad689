import { useMoralis, useNewMoralisObject } from 'react-moralis'

export function NewScore() {
  const { user } = useMoralis()
  const { save, error } = useNewMoralisObject('Score')
  return (
    <>
      <button type="button" onClick={() => save({ player: user?.getUsername(), points: 1906 })}>
        Save a score
      </button>
      {error && <p role="alert">{error.message}</p>}
    </>
  )
}
