import { type CountersignError, type User, useSaveUser, useUpload } from '@countersign/react'
import type { UserChanges } from '@countersign/react/core'
import { ImageUp, Trash2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { t } from '../i18n/translate.ts'
import { Button } from '../ui/Button.tsx'
import { toasts } from '../ui/feedback/toasts.ts'
import { describeError } from '../ui/forms/describeError.ts'
import { Progress } from '../ui/Progress.tsx'
import { Avatar, findAvatar } from './Avatar.tsx'
import { squarePicture } from './squarePicture.ts'

/** The picture beside one's name: chosen, uploaded and saved at once. */
export function AvatarField({ user }: { user: User }) {
  const input = useRef<HTMLInputElement>(null)
  const { upload, progress, status } = useUpload()
  const { saveUser, status: saving } = useSaveUser()
  const [problem, setProblem] = useState<string>()
  const pending = status === 'pending' || saving === 'pending'
  const onError = (error: CountersignError) => setProblem(describeError(error).message)

  const choose = async (file: File) => {
    setProblem(undefined)
    const picture = await squarePicture(file).catch(() => undefined)
    if (!picture) return setProblem(t('Your browser can’t display this file. Try a PNG or JPEG.'))
    const avatar = await upload({ file: picture, name: 'avatar' }, { onError })
    if (avatar) await show(avatar)
  }
  const show = (avatar: UserChanges['avatar']) =>
    saveUser({ avatar }, { onError, onSuccess: () => toasts.add(t('Picture saved.'), 'ok') })
  const remove = () => {
    const { avatar } = user
    setProblem(undefined)
    const undo = { label: t('Undo'), run: () => void show(avatar) }
    void saveUser(
      { avatar: { __op: 'Delete' } },
      { onError, onSuccess: () => toasts.add(t('Picture removed.'), 'ok', undo) },
    )
  }

  return (
    <div className="flex flex-wrap items-center gap-4">
      <Avatar name={user.username} size={72} />
      <div className="min-w-0 flex-1 basis-52">
        <p id="avatar-label" className="text-sm font-semibold">
          {t('Picture')}
        </p>
        <p className="mt-0.5 text-sm text-muted">{t('Visible to everyone. Cropped to a square.')}</p>
        {status === 'pending' && (
          <Progress label={t('Uploading your picture')} value={progress} className="mt-2 w-full max-w-52" />
        )}
        {problem && (
          <p role="alert" className="mt-1.5 text-sm font-medium text-danger">
            {problem}
          </p>
        )}
      </div>
      <div className="flex flex-wrap gap-2">
        <Button look="secondary" pending={pending} onClick={() => input.current?.click()}>
          <ImageUp size={18} aria-hidden="true" /> {findAvatar(user) ? t('Change picture') : t('Upload picture')}
        </Button>
        {findAvatar(user) && !pending && (
          <Button look="secondary" onClick={remove}>
            <Trash2 size={18} aria-hidden="true" /> {t('Remove')}
          </Button>
        )}
      </div>
      <input
        ref={input}
        type="file"
        accept="image/png,image/jpeg,image/webp,image/gif,image/avif"
        aria-labelledby="avatar-label"
        tabIndex={-1}
        className="hidden"
        onChange={({ target }) => {
          const [file] = target.files ?? []
          // The same file may be chosen once more.
          target.value = ''
          if (file) void choose(file)
        }}
      />
    </div>
  )
}
