import { useSession } from '@countersign/react'
import { AccountFrame } from '../components/AccountFrame.tsx'
import { Overview } from '../components/Overview.tsx'
import { Welcome } from '../components/Welcome.tsx'
import { findSessionUser } from '../lib/findSessionUser.ts'

export function Home() {
  const user = findSessionUser(useSession())
  if (!user) return <Welcome />
  return (
    <AccountFrame>
      <Overview user={user} />
    </AccountFrame>
  )
}
