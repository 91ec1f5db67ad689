import { createRoot } from 'react-dom/client'
import { MoralisProvider, useMoralis } from 'react-moralis'
import { readQuery } from '../lib/readQuery.ts'

const { appId, serverUrl } = readQuery()

/** An application written for the older packages; nothing in it depends on this server. */
function Account() {
  const moralis = useMoralis()
  const { user, auth, authError, userError, isInitialized, isInitializing, isUserUpdating, account } = moralis
  const facts: Record<string, unknown> = {
    ready: isInitialized && !isInitializing,
    state: auth.state,
    account,
    busy: isUserUpdating,
    username: user?.getUsername(),
    email: user?.getEmail(),
    ethAddress: user?.get('ethAddress'),
    accounts: JSON.stringify(user?.get('accounts')),
    city: user?.get('city'),
    token: user?.getSessionToken()?.slice(0, 2),
    error: (authError ?? userError)?.message,
  }
  const acts: Record<string, () => unknown> = {
    Authenticate: () => moralis.authenticate({ signingMessage: 'Hello from an older application' }),
    'Sign up': () => moralis.signup('grace', 'correct horse battery', 'grace@example.org', { city: 'Arlington' }),
    'Log in': () => moralis.login('grace', 'correct horse battery'),
    'Log in wrongly': () => moralis.login('grace', 'wrong'),
    Refetch: () => moralis.refetchUserData(),
    'Set city': () => moralis.setUserData({ city: 'London' }),
    'Log out': () => moralis.logout(),
  }
  return (
    <>
      {Object.entries(acts).map(([name, act]) => (
        <button type="button" key={name} onClick={act}>
          {name}
        </button>
      ))}
      {Object.entries(facts).map(([name, value]) => (
        <p key={name}>
          {name}: <output id={name}>{String(value ?? '')}</output>
        </p>
      ))}
    </>
  )
}

createRoot(document.getElementById('root') as HTMLElement).render(
  <MoralisProvider appId={appId} serverUrl={serverUrl}>
    <Account />
  </MoralisProvider>,
)
