import { useSession } from '@countersign/react'
import { findSessionUser } from '../account/session.ts'
import { Overview } from '../features/home/Overview.tsx'
import { Welcome } from '../features/home/Welcome.tsx'
import { AccountFrame } from './AccountFrame.tsx'

export function Home() {
  const user = findSessionUser(useSession())
  if (!user) return <Welcome />
  return (
    <AccountFrame key={user.objectId}>
      <Overview user={user} />
    </AccountFrame>
  )
}
