import type { ConsoleFileRecord } from '@countersign/protocol'
import { File as FileIcon } from 'lucide-react'
import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { formatTime } from '../../i18n/format.ts'
import { t } from '../../i18n/translate.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Detail, DetailList, DetailRow, RowIcon } from '../../ui/DetailRow.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { useConsole } from './ask.ts'
import { FilePreview, isPicture, shortName } from './FilePreview.tsx'
import { formatBytes } from './formats.ts'
import { PagedList } from './PagedList.tsx'
import { SearchForm } from './SearchForm.tsx'
import { useChange } from './useChange.ts'

/** Uploaded files, newest first. */
export function Files() {
  const [parameters, setParameters] = useSearchParams()
  const search = parameters.get('search') ?? ''
  // After a deletion the list is read from its beginning.
  const [round, setRound] = useState(0)
  return (
    <>
      <PageHeader title={t('Files')}>{t('Files uploaded by users and the application.')}</PageHeader>
      <SearchForm
        label={t('Search files')}
        placeholder={t('Name or user ID')}
        search={search}
        onSearch={(text) => setParameters(text === '' ? {} : { search: text })}
      />
      <PagedList
        key={`${round} ${search}`}
        label={t('Files')}
        name="listConsoleFiles"
        input={(after) => ({ search, ...(after !== undefined && { after }) })}
        read={({ results, next }) => ({ items: results, next })}
        row={(file) => <FileRow key={file.name} file={file} onDeleted={() => setRound(round + 1)} />}
        failure={t('The files could not be loaded')}
        empty={{ icon: FileIcon, title: t('No files') }}
        className="-my-3.5"
      />
    </>
  )
}

/** In bytes. */
const largestPreview = 10_000_000

function FileRow({ file, onDeleted }: { file: ConsoleFileRecord; onDeleted: () => void }) {
  const { name, type, size, store, url, createdAt, ipfs, owner } = file
  const isAdmin = useConsole().role === 'admin'
  const { pending, change } = useChange()
  const [isAsking, setAsking] = useState(false)
  const remove = async () => {
    const done = await change('deleteFile', { name }, t('File deleted'))
    setAsking(false)
    if (done) onDeleted()
  }
  return (
    <DetailRow
      icon={<RowIcon icon={FileIcon} />}
      heading="h2"
      title={shortName(name)}
      facts={[formatBytes(size), type, owner && <bdi key="owner">{owner.username ?? owner.objectId}</bdi>]}
      minorFact={<RelativeTime date={new Date(createdAt)} />}
    >
      {isPicture(name, type) && size <= largestPreview && <FilePreview name={name} url={url} />}
      <DetailList>
        <Detail name={t('Name')}>{name}</Detail>
        <Detail name={t('Uploaded')}>{formatTime(new Date(createdAt))}</Detail>
        <Detail name={t('Uploaded by')}>
          {owner ? (
            <Link to={`/admin/users/${owner.objectId}`} className="text-accent underline">
              <bdi>{owner.username ?? owner.objectId}</bdi>
            </Link>
          ) : (
            t('Not a user')
          )}
        </Detail>
        <Detail name={t('Stored in')}>{store}</Detail>
        {ipfs && (
          <Detail name="IPFS">
            <code className="text-xs break-all">{ipfs}</code>
          </Detail>
        )}
        <Detail name={t('Address')}>
          <code className="text-xs break-all">{url}</code>
          <CopyButton label={t('Copy link')} text={url} />
        </Detail>
      </DetailList>
      {isAdmin && (
        <Button look="danger-quiet" className="mt-4" onClick={() => setAsking(true)}>
          {t('Delete')}
        </Button>
      )}
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={t('Delete file?')}
        description={t('Objects that use this file will show it as missing. This can’t be undone.')}
        confirm={t('Delete permanently')}
        danger
        pending={pending}
        onConfirm={() => void remove()}
      />
    </DetailRow>
  )
}
