import { WifiOff } from 'lucide-react'
import { say } from '../lib/say.ts'
import { useOnline } from '../lib/useOnline.ts'

export function OfflineBanner() {
  const online = useOnline()
  return (
    <div role="status">
      {!online && (
        <p className="flex items-center justify-center gap-2 bg-warn-soft px-4 py-2.5 text-sm font-medium text-warn">
          <WifiOff size={17} aria-hidden="true" />
          {say('You are offline. What you see may be old, and nothing can be saved until you are back.')}
        </p>
      )}
    </div>
  )
}
