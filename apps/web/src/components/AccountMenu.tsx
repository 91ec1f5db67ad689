import type { User } from '@countersign/react'
import { lazy, Suspense, useState } from 'react'
import { AccountButton } from './AccountButton.tsx'

const load = () => import('./AccountMenuPopup.tsx')
const AccountMenuPopup = lazy(async () => ({ default: (await load()).AccountMenuPopup }))

/** The menu's code is fetched when a person reaches for it: the first page stays light. */
export function AccountMenu({ user }: { user: User }) {
  const [wanted, setWanted] = useState(false)
  const button = (
    <AccountButton
      username={user.username}
      aria-expanded={wanted}
      onPointerEnter={() => void load()}
      onFocus={() => void load()}
      onClick={() => setWanted(true)}
      onKeyDown={(event) => event.key === 'ArrowDown' && setWanted(true)}
    />
  )
  if (!wanted) return button
  return (
    <Suspense fallback={button}>
      <AccountMenuPopup user={user} />
    </Suspense>
  )
}
