import { headers } from 'next/headers'
import { readSession } from './auth.ts'

export default async function Page() {
  const session = await readSession((await headers()).get('cookie'))
  if (!session?.user) return <h1>Nobody is signed in</h1>
  return (
    <main>
      <h1>Welcome, {session.user.name}</h1>
      <p>{session.wallets?.[0]?.account}</p>
    </main>
  )
}
