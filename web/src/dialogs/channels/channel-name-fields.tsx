import { TextField } from '../../forms/fields.js'
import type { Binding } from '../../forms/form.js'
import { t } from '../../languages/t.js'
import { useChat } from '../../realm/chat.js'

interface ChannelNameFieldsProps {
  name: Binding<string>
  description: Binding<string>
}

/** Shows the fields for the name and the description of a channel. The channel is a new one or one that exists. */
export const ChannelNameFields = ({ name, description }: ChannelNameFieldsProps) => {
  const { max_stream_name_length, max_stream_description_length } = useChat().organization.value
  return (
    <>
      <TextField label={t('Name')} most={max_stream_name_length} isRequired {...name} />
      <TextField label={t('Description')} most={max_stream_description_length} rows={3} {...description} />
    </>
  )
}
