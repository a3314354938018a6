/** What the page opens, and what the lists beside the messages show. */

import { type Action, ActionStatus, useAction } from '../forms/action.js'
import { t } from '../languages/t.js'
import { SettingCheck, SettingSelect } from './setting-fields.js'

/** The page "Navigation". */
export const NavigationSettings = () => {
  const action = useAction()
  return (
    <>
      <ViewsGroup action={action} />
      <ConversationsGroup action={action} />
      <MembersGroup action={action} />
      <ActionStatus action={action} />
    </>
  )
}

const ViewsGroup = ({ action }: { action: Action }) => (
  <fieldset class="dialog-group">
    <legend>{t('Views')}</legend>
    <div class="dialog-two-columns">
      <SettingSelect
        name="web_home_view"
        label={t('Home view')}
        options={[
          { value: 'inbox', label: t('Inbox') },
          { value: 'recent_topics', label: t('Recent conversations') },
          { value: 'all_messages', label: t('All messages') },
        ]}
        action={action}
      />
      <SettingSelect
        name="web_channel_default_view"
        label={t('A channel opens with')}
        options={[
          { value: 1, label: t('The top topic') },
          { value: 4, label: t('The top unread topic') },
          { value: 2, label: t('All messages') },
          { value: 3, label: t('The list of topics') },
        ]}
        action={action}
      />
      <SettingSelect
        name="web_mark_read_on_scroll_policy"
        label={t('Scrolling marks messages as read')}
        options={[
          { value: 1, label: t('Always') },
          { value: 2, label: t('In conversations') },
          { value: 3, label: t('Never') },
        ]}
        action={action}
      />
      <SettingSelect
        name="desktop_icon_count_display"
        label={t('Number in the title of the page')}
        options={[
          { value: 1, label: t('All unread messages') },
          { value: 2, label: t('Direct messages, mentions and followed topics') },
          { value: 3, label: t('Direct messages and mentions') },
          { value: 4, label: t('None') },
        ]}
        action={action}
      />
    </div>
    <SettingCheck name="web_escape_navigates_to_home_view" label={t('Escape opens the home view')} action={action} />
    <SettingCheck
      name="web_inbox_show_channel_folders"
      label={t('Show the folders of channels in the inbox')}
      action={action}
    />
  </fieldset>
)

const ConversationsGroup = ({ action }: { action: Action }) => (
  <fieldset class="dialog-group">
    <legend>{t('List of conversations')}</legend>
    <div class="dialog-two-columns">
      <SettingSelect
        name="web_stream_unreads_count_display_policy"
        label={t('Numbers of unread messages')}
        options={[
          { value: 1, label: t('Of all channels') },
          { value: 2, label: t('Of what is not muted') },
          { value: 3, label: t('Of no channel') },
        ]}
        action={action}
      />
      <SettingSelect
        name="demote_inactive_streams"
        label={t('Inactive channels are last')}
        options={[
          { value: 1, label: t('With 30 channels or more') },
          { value: 2, label: t('Always') },
          { value: 3, label: t('Never') },
        ]}
        action={action}
      />
    </div>
    <SettingCheck
      name="web_left_sidebar_unreads_count_summary"
      label={t('Show the sums of unread messages')}
      hint={t('Beside the inbox, and beside closed parts of the list.')}
      action={action}
    />
    <SettingCheck name="starred_message_counts" label={t('Show the number of starred messages')} action={action} />
    <SettingCheck
      name="web_left_sidebar_show_channel_folders"
      label={t('Show the folders of channels')}
      action={action}
    />
  </fieldset>
)

const MembersGroup = ({ action }: { action: Action }) => (
  <fieldset class="dialog-group">
    <legend>{t('List of members')}</legend>
    <SettingSelect
      name="user_list_style"
      label={t('A line shows')}
      options={[
        { value: 1, label: t('The name') },
        { value: 2, label: t('Name and status') },
        { value: 3, label: t('Picture, name and status') },
      ]}
      action={action}
    />
    <SettingCheck name="left_side_userlist" label={t('On a narrow screen, open it from the left')} action={action} />
  </fieldset>
)
