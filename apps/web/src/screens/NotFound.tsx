import { Compass } from 'lucide-react'
import { AuthFrame } from '../components/AuthFrame.tsx'
import { ButtonLink } from '../components/ButtonLink.tsx'
import { EmptyState } from '../components/EmptyState.tsx'
import { say } from '../lib/say.ts'

export function NotFound() {
  return (
    <AuthFrame title={say('Nothing here')}>
      <EmptyState
        icon={Compass}
        title={say('This page does not exist')}
        actions={<ButtonLink to="/">{say('To the start')}</ButtonLink>}
      >
        {say('The address may be mistyped, or the page has moved.')}
      </EmptyState>
    </AuthFrame>
  )
}
