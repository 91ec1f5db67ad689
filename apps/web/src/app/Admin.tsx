import { useSession } from '@countersign/react'
import { useEffect, useState } from 'react'
import { Navigate, Route, Routes, useLocation } from 'react-router'
import { expectedSignOut, findSessionUser } from '../account/session.ts'
import { needsStepUp } from '../account/signIn/useConfirmation.ts'
import { useAsk, watchRights } from '../features/console/ask.ts'
import { lazyPart } from '../ui/lazyPart.ts'
import { ToSignIn } from './access.tsx'
import { consoleMark } from './consoleMark.ts'
import { NotFound } from './NotFound.tsx'
import { ScreenSkeleton } from './ScreenSkeleton.tsx'
import { withConsoleWords } from './withConsoleWords.ts'

const Console = lazyPart(async () => (await withConsoleWords(import('../features/console/Console.tsx'))).Console)
const ConfirmOperator = lazyPart(
  async () => (await withConsoleWords(import('../features/console/ConfirmOperator.tsx'))).ConfirmOperator,
)
const Claim = lazyPart(async () => (await withConsoleWords(import('../features/console/users/Claim.tsx'))).Claim)

/** The way to the console. Its code is fetched once the server has said that this is an operator; others find no page. */
export function Admin() {
  const user = findSessionUser(useSession())
  const { hash } = useLocation()
  return (
    <Routes>
      {hash.length > 1 && (
        <Route path="claim" element={<Claim username={user && String(user.username)} token={hash.slice(1)} />} />
      )}
      <Route path="*" element={user ? <Entry key={user.objectId} /> : <Visitor />} />
    </Routes>
  )
}

/** Visitors find no page. In a browser that opened the console, an operator whose session ended signs in and returns. */
function Visitor() {
  if (!consoleMark.get()) return <NotFound />
  return expectedSignOut.get() ? <Navigate to="/" replace /> : <ToSignIn />
}

function Entry() {
  const console = useAsk('getConsole', {})
  const [isDeclined, setDeclined] = useState(false)
  const { refetch } = console
  useEffect(() => watchRights(refetch), [refetch])
  if (console.status === 'pending') return <ScreenSkeleton />
  if (console.status === 'error' && needsStepUp(console.error) && !isDeclined)
    return <ConfirmOperator onConfirmed={console.refetch} onDeclined={() => setDeclined(true)} />
  // Also one who was an operator when the page was opened.
  if (!console.data || (console.status === 'error' && console.error.status === 404)) {
    consoleMark.set(false)
    return <NotFound />
  }
  consoleMark.set(true)
  return <Console known={console.data} onNotFound={() => <NotFound />} />
}
