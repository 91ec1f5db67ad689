import { Link2Off } from 'lucide-react'
import { say } from '../../lib/say.ts'
import { Card } from '../Card.tsx'
import { EmptyState } from '../EmptyState.tsx'

/** Nothing can be read where no node is. */
export function NoChain() {
  return (
    <Card>
      <EmptyState icon={Link2Off} title={say('No chain is configured')}>
        {say(
          'This server reads no chain yet. Whoever runs it can name one, with a node to ask, under “chains” in its configuration.',
        )}
      </EmptyState>
    </Card>
  )
}
