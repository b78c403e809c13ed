"""What is kept: schema, migrations, repositories, copies of documents."""
