import { WalletMinimal } from 'lucide-react'

/** A wallet's own icon where the browser knows it, as the sign-in sheet shows it. Decorative. */
export function WalletIcon({ icon }: { icon?: string | undefined }) {
  return (
    <span className="grid size-10 shrink-0 place-items-center overflow-hidden rounded-control bg-sunken text-muted">
      {icon ? (
        <img src={icon} alt="" width={28} height={28} className="size-7 rounded-md object-contain" />
      ) : (
        <WalletMinimal size={20} aria-hidden="true" />
      )}
    </span>
  )
}
