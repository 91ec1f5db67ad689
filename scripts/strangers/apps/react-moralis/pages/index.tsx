import { useMoralis } from 'react-moralis'
import { Average } from '../components/Average'
import { NewScore } from '../components/NewScore'
import { Scores } from '../components/Scores'

export default function Index() {
  const { authenticate, authError, isAuthenticated, isInitialized, logout, user } = useMoralis()
  if (!isInitialized) return <p>One moment</p>
  if (!isAuthenticated)
    return (
      <main>
        <button type="button" onClick={() => authenticate()}>
          Authenticate
        </button>
        {authError && <p role="alert">{authError.message}</p>}
      </main>
    )
  return (
    <main>
      <h1>Welcome {user?.getUsername()}</h1>
      <button type="button" onClick={() => logout()}>
        Log out
      </button>
      <NewScore />
      <Average />
      <Scores />
    </main>
  )
}
