import { SelectField } from '../../forms/fields.js'
import { t } from '../../languages/t.js'
import { useChat } from '../../realm/chat.js'

/** The folder of a channel; nothing in an organization without folders. */
export const FolderField = ({ value, onChange }: { value: number; onChange: (folderId: number) => void }) => {
  const folders = [...useChat().folders.value.values()].filter(({ is_archived }) => !is_archived)
  if (folders.length === 0) return null
  const options = [{ value: 0, label: t('No folder') }, ...folders.map(({ id, name }) => ({ value: id, label: name }))]
  return <SelectField label={t('Folder')} value={value} options={options} onChange={onChange} />
}
