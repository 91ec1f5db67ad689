import { Compass } from 'lucide-react'
import { AuthFrame } from '../components/AuthFrame.tsx'
import { ButtonLink } from '../components/ButtonLink.tsx'
import { EmptyState } from '../components/EmptyState.tsx'

export function NotFound() {
  return (
    <AuthFrame title="Nothing here">
      <EmptyState
        icon={Compass}
        title="This page does not exist"
        actions={<ButtonLink to="/">To the start</ButtonLink>}
      >
        The address may be mistyped, or the page has moved.
      </EmptyState>
    </AuthFrame>
  )
}
