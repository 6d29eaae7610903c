package bot_test
