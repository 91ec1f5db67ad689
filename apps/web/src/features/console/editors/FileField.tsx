import { endpoints } from '@countersign/protocol'
import { FileUp } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import { applicationHeaders, getServer, reach, readRefusal } from '../../../config/callEndpoint.ts'
import { t } from '../../../i18n/translate.ts'
import { Button } from '../../../ui/Button.tsx'
import { FieldFrame } from '../../../ui/forms/Field.tsx'
import { operatorHeaders, useProve } from '../ask.ts'
import { messageOf } from '../dataBrowser/dataRows.ts'
import { readValue } from '../dataBrowser/dataValues.ts'
import { FilePreview, isPicture, shortName } from '../FilePreview.tsx'
import type { TypeFieldProps } from './TypeFieldProps.ts'

/** A file: a preview of the present one, and an upload of another. */
export function FileField({ label, text, onChange, error }: TypeFieldProps) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const prove = useProve()
  const [failure, setFailure] = useState<string>()
  const [pending, setPending] = useState(false)
  const { name, url } = Object(readValue('File', text)) as { name?: unknown; url?: unknown }
  const upload = async (file: File) => {
    setPending(true)
    setFailure(undefined)
    try {
      const stored = await prove(() => sendFile(file))
      if (stored) onChange(JSON.stringify({ __type: 'File', name: stored.name, url: stored.url }))
    } catch (cause) {
      setFailure(messageOf(cause))
    }
    setPending(false)
  }
  const problem = failure ?? error
  return (
    <div>
      {typeof name === 'string' && typeof url === 'string' && (
        <>
          {isPicture(name) && <FilePreview key={url} name={name} url={url} />}
          <p className="mb-4 text-sm font-semibold wrap-anywhere">
            <bdi>{shortName(name)}</bdi>
          </p>
        </>
      )}
      <FieldFrame id={id} label={label} {...(problem && { error: problem })}>
        <input
          ref={input}
          id={id}
          type="file"
          className="sr-only"
          tabIndex={-1}
          onChange={(event) => {
            const [file] = event.target.files ?? []
            if (file) void upload(file)
          }}
        />
        <Button look="secondary" pending={pending} onClick={() => input.current?.click()}>
          <FileUp size={18} aria-hidden="true" />
          {t('Upload a file')}
        </Button>
      </FieldFrame>
    </div>
  )
}

type Stored = { name: string; url: string }

/** Sends the file as it is: in JSON it would be a third longer. */
async function sendFile(file: File): Promise<Stored> {
  const path = endpoints.uploadFile.path.replace(':name', encodeURIComponent(file.name))
  const response = await reach(`${getServer().serverUrl}${path}`, {
    method: endpoints.uploadFile.method,
    credentials: 'include',
    headers: {
      ...applicationHeaders(),
      ...operatorHeaders,
      'Content-Type': file.type || 'application/octet-stream',
    },
    body: file,
  })
  const body = (await response.json().catch(() => undefined)) as Record<string, unknown> | undefined
  if (response.ok && body) return body as Stored
  throw readRefusal(response, body)
}
